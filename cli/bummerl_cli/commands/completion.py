"""bummerl completion."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
      eval "$(bummerl completion bash)"
      bummerl completion fish > ~/.config/fish/completions/bummerl.fish
    """
    from click.shell_completion import get_completion_class

    root = ctx.find_root().command
    found = get_completion_class(shell)
    if found is None:  # pragma: no cover  (the choices above all exist)
        raise click.UsageError(f"no completion for {shell}")
    click.echo(found(root, {}, "bummerl", "_BUMMERL_COMPLETE").source())

"""The command line of bummerl: parse, call the library, print."""

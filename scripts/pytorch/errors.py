"""What can go wrong, by who can mend it."""


class BadUse(Exception):
    """Something a person can change, in words. Exit code 2, the same on every rank."""


class ExchangeBroken(Exception):
    """An exchange did not end. Exit code 3."""

"""What a browser sees: the page of a live desktop, driven by hand.

Everything here listens on the loopback address only, behind a token that stands in the address.
"""

"""This machine made ready: the packages it needs and the template homes that every desktop starts from."""

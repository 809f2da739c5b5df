// The scripts of the home page.

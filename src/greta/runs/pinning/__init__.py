"""Which operation a fault comes from, by running the program again with added synchronization.

    search = Search(open_original("run"), tries=3, tell=print)
    result = search.pin()

`greta pin` is the command.
"""

"""What passed and failed."""


class Cases:
    def __init__(self):
        self.passed, self.failures = 0, []

    def check(self, what, condition, shown=""):
        if condition:
            self.passed += 1
        else:
            self.failures.append(f"{what}: {shown}")

    def refused(self, what, error, says, function, *args, begins="", **named):
        """An exception of this type, whose text has `says` and begins with `begins`; it is returned."""
        try:
            result = function(*args, **named)
        except Exception as e:  # whatever it is, it is shown
            self.check(what, type(e) is error and says in str(e) and str(e).startswith(begins), repr(e))
            return e
        self.check(what, False, f"not refused: {result!r}")
        return None

    def report(self):
        """Prints what failed, and the counts; the exit code."""
        for failure in self.failures:
            print(f"FAILED  {failure}")
        print(f"{self.passed} passed, {len(self.failures)} failed")
        return 1 if self.failures else 0

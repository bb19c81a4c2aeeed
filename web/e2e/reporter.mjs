/** One line a test, with what it noted; a failure in full. */
export default class Lines {
  #count = { passed: 0, failed: 0 };

  onTestEnd(test, result) {
    const passed = result.status === test.expectedStatus;
    this.#count[passed ? "passed" : "failed"]++;
    const notes = result.annotations.filter((a) => a.type === "note").map((a) => a.description);
    const took = `${(result.duration / 1000).toFixed(1)} s`;
    if (passed) console.log(`ok   ${test.title} (${took}) ${notes.join("; ")}`);
    else console.log(`FAIL ${test.title} (${took})\n${result.errors.map((e) => e.stack ?? e.message).join("\n")}`);
  }

  onError(error) {
    console.log(error.stack ?? error.message);
  }

  onEnd() {
    console.log(`${this.#count.passed} passed, ${this.#count.failed} failed`);
  }

  printsToStdio() {
    return true;
  }
}

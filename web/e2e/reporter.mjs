/** One line a test, with what it noted; a failure in full; last what passed only when it was tried again. */
const errors = (result) => result.errors.map((e) => e.stack ?? e.message).join("\n");

export default class Lines {
  #suite;

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onTestEnd(test, result) {
    const notes = result.annotations.filter((a) => a.type === "note").map((a) => a.description);
    const took = `${(result.duration / 1000).toFixed(1)} s`;
    if (result.status === test.expectedStatus) console.log(`ok   ${test.title} (${took}) ${notes.join("; ")}`);
    else console.log(`FAIL ${test.title} (${took})${result.retry < test.retries ? ", and is tried again" : ""}\n${errors(result)}`);
  }

  onError(error) {
    console.log(error.stack ?? error.message);
  }

  onEnd() {
    const all = this.#suite.allTests();
    const flaky = all.filter((test) => test.outcome() === "flaky");
    for (const test of flaky) console.log(`FLAKY ${test.title}: passed at try ${test.results.length}. The first failed with\n${errors(test.results[0])}`);
    const count = (outcome) => all.filter((test) => test.outcome() === outcome).length;
    console.log(`${count("expected") + flaky.length} passed, ${count("unexpected")} failed, ${flaky.length} FLAKY`);
  }

  printsToStdio() {
    return true;
  }
}

/** A failure that the command line explains in one line. `exitCode` 2 means wrong usage. */
export class CliFailure extends Error {
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A mistake in the input of the generator: the message says what, where (JSON pointer or file:line) and what to do. */
export class InputFault extends Error {
  override readonly name = "InputFault";

  constructor(what: string, where: string, todo?: string) {
    super(`${where}: ${what}${todo === undefined ? "" : ` (${todo})`}`);
  }
}

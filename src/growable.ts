/**
 * A shallow copy that members will be added to. V8 leaves no room in what `{ ...value }` makes: the first member that is
 * added to it costs more than all the rest of a copy.
 */
export const growable = <T extends object>(value: T): T => Object.assign({}, value);

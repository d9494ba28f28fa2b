/** `TaskNotFoundError` for `TASK_NOT_FOUND`: the name of an error, as agents of 0.3 put it before their messages. */
export const errorName = (reason: string): string =>
  `${reason.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;

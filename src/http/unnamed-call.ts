/** Stands in logs for a call whose method is not known yet. */
export const UNNAMED = "a request";

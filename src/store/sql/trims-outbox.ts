/**
 * Whether a delivery of revision `n` is one of those, a 64th of all, with which a webhook's deliveries are counted: about
 * `most` may wait. Which revisions a webhook gets does not matter: those are spread like noise.
 */
export const trimsOutbox = (n: number, most: number): boolean =>
  n > most && Math.imul(n, 0x9e3779b1) >>> 26 === 0;

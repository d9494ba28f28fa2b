/** `a2a-typed/card`: sign, verify and check agent cards. */
export { canonicalCard, type CardForm } from "./card/canonical-card.js";
export { signCard, type SignCardOptions } from "./card/sign-card.js";
export { verifyCard, type CardVerification, type VerifyCardOptions } from "./card/verify-card.js";
export { cardVerifier, type VerifiedCard } from "./card/card-verifier.js";
export type { SignatureCheck, SignatureProblem } from "./card/check-signature.js";
export type { CardSignature } from "./card/card-signature.js";
export { lintCard } from "./card/lint.js";
export type { CardMeans, CardProblem } from "./card/lint-types.js";
export type { ProtectedHeader } from "./card/protected-header.js";
export { keyResolver, type KeyResolver, type KeyResolverOptions, type KeySet } from "./card/key-resolver.js";
export { openKeys } from "./keys/open-keys.js";
export type { DetachedSignature, KeyOptions, Keys, PublicKey, SigningKey } from "./keys/types.js";

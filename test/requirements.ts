import { auth } from "./requirements/auth.js";
import { bindings } from "./requirements/bindings.js";
import { cards } from "./requirements/cards.js";
import { hardening } from "./requirements/hardening.js";
import { model } from "./requirements/model.js";
import type { Manifest } from "./requirements/coverage.js";
import { extensions } from "./requirements/extensions.js";
import { operations } from "./requirements/operations.js";
import { push } from "./requirements/push.js";

/** Every rule of `rules.json` and the tests that prove it. */
export const manifests: readonly Manifest[] = [
  operations,
  model,
  bindings,
  cards,
  auth,
  push,
  extensions,
  hardening,
];

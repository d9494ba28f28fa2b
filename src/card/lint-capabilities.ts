import type { CardRule } from "./lint-types.js";

/** What the card promises and the agent cannot keep. */
export const lintCapabilities: CardRule = (card, means, report) => {
  const { streaming, pushNotifications, extendedAgentCard, extensions = [] } = card.capabilities;
  if (pushNotifications === true && means.push === false) {
    report(
      "error",
      ["capabilities", "pushNotifications"],
      "is true, but there is no push option that could deliver",
      "A2A-4.4.3-a",
    );
  }
  if (extendedAgentCard === true) {
    const at = ["capabilities", "extendedAgentCard"];
    if (Object.keys(card.securitySchemes ?? {}).length === 0 && means.allowPublicExtendedCard !== true) {
      report(
        "error",
        at,
        "needs securitySchemes, since the extended card is for authenticated callers; " +
          "allowPublicExtendedCard turns this check off",
        "A2A-13.3-a",
      );
    }
    if (means.extendedCard === false) {
      report("warning", at, "is true, but no extended card is configured", "A2A-13.3-b");
    }
  }
  // Said on purpose, and at odds with what the agent was given all the same.
  const unused = (name: string, what: string): void => {
    report("warning", ["capabilities", name], `is false, ${what}`, "A2A-4.4.3-a");
  };
  if (streaming === false && means.streaming === true) {
    unused("streaming", "but the handler yields: callers get all of it at the end");
  }
  if (pushNotifications === false && means.push === true) {
    unused("pushNotifications", "but there is a push option: nobody can register a webhook");
  }
  if (extendedAgentCard === false && means.extendedCard === true) {
    unused("extendedAgentCard", "but there is an extended card: nobody can read it");
  }
  if (Object.hasOwn(card.capabilities, "stateTransitionHistory")) {
    report("warning", ["capabilities", "stateTransitionHistory"], "belongs to cards of 0.x", "A2A-4.4.3-b");
  }
  extensions.forEach(({ uri }, i) => {
    if (extensions.findIndex((other) => other.uri === uri) === i) return;
    report("warning", ["capabilities", "extensions", i, "uri"], `${uri} is listed twice`, "A2A-4.4.4-a");
  });
};

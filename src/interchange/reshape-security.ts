import { isObject } from "../codec/json.js";
import { report } from "../codec/reader.js";
import type { JsonObject, Rule } from "../descriptor.js";
import {
  authenticationTable,
  pushConfigTable,
  securityRequirementTable,
  securitySchemeTable,
} from "../versions/pivot.js";
import { readOlder } from "./read-older.js";
import { objectIn, type Reshape } from "./reshape.js";

/** The nested configuration of 0.x; without a scheme there is nothing to authenticate with. */
const flattenConfig: Reshape = (value, { reader }) => {
  const nested = objectIn(value, "pushNotificationConfig", "push_notification_config");
  const { authentication, ...others } = nested ?? value;
  const taskId = value["taskId"] ?? value["task_id"];
  if (nested !== undefined) report(reader, "nested_config", "read as one object");
  const isEmpty = isObject(authentication) && saysNothing(authentication);
  if (isEmpty) report(reader, "empty_authentication", "dropped");
  if (nested === undefined && !isEmpty) return value;
  return {
    ...others,
    ...(authentication !== undefined && !isEmpty && { authentication }),
    ...(taskId !== undefined && { taskId }),
  };
};
const saysNothing = ({ schemes }: JsonObject): boolean =>
  Array.isArray(schemes) && schemes.every((scheme) => scheme === "");

/** An object of 0.x as a whole. */
const older =
  (type: string, isLegacy: (value: JsonObject) => boolean): Reshape =>
  (value, reading) =>
    isLegacy(value) ? readOlder(type, value, reading) : value;

/** Reshapes of push configurations and security, by table. */
export const securityReshapes: readonly (readonly [Rule, Reshape])[] = [
  [pushConfigTable, flattenConfig],
  [authenticationTable, older("AuthenticationInfo", ({ schemes }) => Array.isArray(schemes))],
  [securitySchemeTable, older("SecurityScheme", ({ type }) => typeof type === "string")],
  [
    securityRequirementTable,
    older("SecurityRequirement", (value) => Object.values(value).some(Array.isArray)),
  ],
];

import { sha256 } from "../sha256.js";
import type { Delivery } from "../store/types.js";

/** Header that names a delivery: each try of the same event to the same registration has the same. */
export const DELIVERY_ID_HEADER = "X-A2A-Notification-Id";

/** The name of a delivery, fit for a header whatever the ids are: receivers know by it what they have processed. */
export const deliveryId = ({
  taskId,
  configId,
  n,
}: Pick<Delivery, "taskId" | "configId" | "n">): Promise<string> =>
  sha256(JSON.stringify([taskId, configId, n]));

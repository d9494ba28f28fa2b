/** The migrations there are, in their order. Known without loading what applies them. */
export const migrationNames = ["0001-tasks"] as const;

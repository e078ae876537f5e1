/** The types of JSON Schema. */
export const typeNames = ["string", "number", "integer", "boolean", "array", "object", "null"] as const;

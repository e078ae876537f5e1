export const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

export type HttpMethod = (typeof httpMethods)[number];

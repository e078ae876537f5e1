/** The address of a shared run's page. */
export const linkTo = (slug: string): string => `${location.origin}/s/${slug}`;

/** Whether others can open what is at this host; not where a browser reaches its own computer by it. */
export function isReachable(hostname: string): boolean {
  return !/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

import type { IconName } from "../ui/icons/icon.tsx";

/** A page of the studio that can be gone to from everywhere. */
export interface Place {
  href: string;
  label: string;
  icon: IconName;
  /** Whether an address belongs to it. */
  holds: (path: string) => boolean;
}

export const places: readonly Place[] = [
  { href: "/", label: "Workflows", icon: "workflow", holds: (path) => path === "/" || /^\/(w\/|imports)/.test(path) },
  { href: "/knowledge", label: "Knowledge", icon: "book-open", holds: (path) => path.startsWith("/knowledge") },
  { href: "/credentials", label: "Credentials", icon: "key-round", holds: (path) => path === "/credentials" },
  { href: "/runs", label: "Runs", icon: "history", holds: (path) => /^\/(runs|activity)/.test(path) },
  { href: "/tests", label: "Tests", icon: "flask-conical", holds: (path) => path.startsWith("/tests") },
  { href: "/inbox", label: "Inbox", icon: "inbox", holds: (path) => path === "/inbox" },
  { href: "/settings", label: "Settings", icon: "settings", holds: (path) => path.startsWith("/settings") },
];

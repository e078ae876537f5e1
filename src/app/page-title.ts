import { useEffect } from "react";

/** Names the browser's tab: "Credentials · Switchyard". */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? "Switchyard" : `${title} · Switchyard`;
  }, [title]);
}

import { useEffect, useRef } from "react";

/** Whether the component is still on the page, for what goes on while a person may close it. */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  return () => isOpen.current;
}

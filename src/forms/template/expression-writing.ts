import { createContext, useContext, useEffect, useState } from "react";

/** After this many milliseconds without a key, an expression counts as written even while the caret stands in it. */
const pause = 1500;

const nobody = (): void => undefined;

const Context = createContext<(isWriting: boolean) => void>(nobody);

/** Hears from the fields inside whether an expression is being written, so that complaints can wait. */
export const ExpressionWritingProvider = Context.Provider;

/**
 * Whether somebody is in the middle of an expression: the caret stands in it and a key was pressed a moment ago. What is
 * wrong with half an expression is no news.
 */
export function useExpressionWriting(text: string, isCaretInside: boolean): boolean {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  const isWriting = isCaretInside && rested !== text;
  const tell = useContext(Context);
  useEffect(() => {
    if (!isWriting) return undefined;
    tell(true);
    return () => tell(false);
  }, [isWriting, tell]);
  return isWriting;
}

import { useEffect, useRef, useState } from "react";
import { Button } from "../buttons/button.tsx";
import { errorHint } from "../feedback/error-hint.ts";
import { Notice } from "../feedback/notice.tsx";
import { showError } from "../feedback/toast.tsx";

interface FindAndUseProps<Found, Used> {
  /** Names the section. */
  name: string;
  /** What is looked for. */
  what: string;
  /** Looks, at a click only. */
  find: () => Promise<Found[]>;
  titleOf: (found: Found) => string;
  isUsable: (found: Found) => boolean;
  /** What is said where nothing that was found can be used. */
  nothing: (found: readonly Found[]) => { title: string; hint: string };
  use: (found: Found) => Promise<Used>;
  /** Called while the person is still there. */
  onUsed: (used: Used) => void;
}

/**
 * Looks for something at a click, and uses the only one that can be used, or lets the person choose among several. It saves nothing of
 * the form that it stands in.
 */
export function FindAndUse<Found, Used>(props: FindAndUseProps<Found, Used>) {
  const { name, what, find, titleOf, isUsable, nothing, use, onUsed } = props;
  /** What was found, where that is none or more than one. */
  const [found, setFound] = useState<Found[] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => void (isThere.current = false);
  }, []);

  const during = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (isThere.current) setFailure(error);
      else showError(error);
    } finally {
      setIsBusy(false);
    }
  };
  const take = async (one: Found) => {
    const used = await use(one);
    if (isThere.current) onUsed(used);
  };
  const look = async () => {
    const all = await find();
    setFound(all);
    const [first, ...others] = all.filter(isUsable);
    if (isThere.current && first !== undefined && others.length === 0) await take(first);
  };
  const usable = found?.filter(isUsable) ?? [];
  const missing = found !== null && usable.length === 0 && !isBusy ? nothing(found) : null;

  return (
    <section aria-label={name} className="flex flex-col gap-2 rounded-md border py-2 pr-2 pl-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-40 flex-1">{what}</p>
        {usable.length > 1 ? (
          usable.map((one) => (
            <Button key={titleOf(one)} size="sm" busy={isBusy} onClick={() => void during(() => take(one))}>
              Use {titleOf(one)}
            </Button>
          ))
        ) : (
          <Button size="sm" icon="monitor" busy={isBusy} onClick={() => void during(look)}>
            Find and use it
          </Button>
        )}
      </div>
      {missing !== null && (
        <Notice tone="warning" title={missing.title}>
          {missing.hint}
        </Notice>
      )}
      {failure !== null && (
        <Notice tone="danger" title={failure.message}>
          {errorHint(failure)}
        </Notice>
      )}
    </section>
  );
}

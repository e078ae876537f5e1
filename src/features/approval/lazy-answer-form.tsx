import { Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part.tsx";
import type { AnswerFormProps } from "./answer-form.tsx";

const LoadedForm = lazyPart<AnswerFormProps>(async () => (await import("./answer-form.tsx")).AnswerForm);

/** A form that a tool asks; its code is loaded when the first one is asked. */
export function LazyAnswerForm(props: AnswerFormProps) {
  return (
    <Suspense fallback={null}>
      <LoadedForm {...props} />
    </Suspense>
  );
}

import { lazyPart } from "../../ui/feedback/lazy-part.tsx";
import type { AnswerFormProps } from "./answer-form.tsx";

/** A form that a tool asks; its code is loaded when the first one is asked. */
export const LazyAnswerForm = lazyPart<AnswerFormProps>(async () => (await import("./answer-form.tsx")).AnswerForm);

import { cloneElement, type HTMLAttributes, type ReactElement, type Ref } from "react";

/** What a trigger must take: a ref to its element, and the usual attributes and handlers. */
export type TriggerProps = HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> };

type Handlers = { [Name in keyof TriggerProps as Name extends `on${string}` ? Name : never]?: TriggerProps[Name] };

/** Gives one ref's element to both. */
function joinRefs(one: Ref<HTMLElement> | undefined, other: Ref<HTMLElement>): Ref<HTMLElement> {
  if (one === undefined || one === null) return other;
  return (element) => {
    const stops = [one, other].map((ref) => {
      if (typeof ref === "function") return ref(element);
      if (ref !== null) ref.current = element;
      return undefined;
    });
    return () => {
      for (const [index, ref] of [one, other].entries()) {
        const stop = stops[index];
        if (typeof stop === "function") stop();
        else if (typeof ref === "function") ref(null);
        else if (ref !== null) ref.current = null;
      }
    };
  };
}

/** The child with more attributes, handlers that run after its own, and one more ref. */
export function withTriggerProps(
  child: ReactElement<TriggerProps>,
  props: Omit<TriggerProps, "ref"> & Handlers,
  ref: Ref<HTMLElement>,
): ReactElement {
  const joined: Record<string, unknown> = { ...props };
  for (const [name, handler] of Object.entries(props)) {
    const own: unknown = Reflect.get(child.props, name);
    if (typeof handler !== "function" || typeof own !== "function") continue;
    joined[name] = (event: unknown) => {
      own(event);
      handler(event);
    };
  }
  return cloneElement(child, { ...joined, ref: joinRefs(child.props.ref, ref) });
}

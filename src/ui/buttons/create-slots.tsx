import { createContext, type ReactNode, useContext } from "react";

/** A place for parts of other features that a feature shows: the page hands them in, `useSlots` takes them out. */
export function createSlots<Slots extends object>(feature: string) {
  const Context = createContext<Slots | null>(null);

  function SlotsProvider({ slots, children }: { slots: Slots; children: ReactNode }) {
    return <Context value={slots}>{children}</Context>;
  }

  function useSlots(): Slots {
    const slots = useContext(Context);
    if (slots === null) throw new Error(`The parts that ${feature} shows are not provided above it.`);
    return slots;
  }

  return { SlotsProvider, useSlots };
}

import { createContext, type ReactNode, useContext } from "react";
import type { Services } from "./services.ts";

const ServicesContext = createContext<Services | null>(null);

/** Hands the outside (accounts, repositories, the engine's host) to everything below. */
export function ServicesProvider({ services, children }: { services: Services; children: ReactNode }) {
  return <ServicesContext value={services}>{children}</ServicesContext>;
}

/** The services of the nearest provider; throws outside of one. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("useServices needs a ServicesProvider above it.");
  return services;
}

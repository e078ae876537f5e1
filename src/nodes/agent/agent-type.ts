/** The stored type of agents, for those who read workflows without the registry, such as edge functions. */
export const agentType = "ai-agent";

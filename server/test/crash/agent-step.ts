/** What the writer has been told about one agent. */
export type AgentStep =
  | { readonly kind: 'registered' | 'verified' | 'revoked'; readonly apiKey: string }
  | { readonly kind: 'rotated'; readonly apiKey: string; readonly previous: string }

/** Which keys must work, and which must not, after these steps. A later word about a key holds. */
export function expectedKeys(steps: readonly AgentStep[]): ReadonlyMap<string, 'works' | 'dead'> {
  const keys = new Map<string, 'works' | 'dead'>()
  for (const step of steps) {
    keys.set(step.apiKey, step.kind === 'registered' || step.kind === 'revoked' ? 'dead' : 'works')
    if (step.kind === 'rotated') keys.set(step.previous, 'dead')
  }
  return keys
}

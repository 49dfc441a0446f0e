/** A step of an agent's life that the service acknowledged to the writer. */
export type AgentStep =
  | { readonly kind: 'registered' | 'verified' | 'revoked'; readonly apiKey: string }
  | { readonly kind: 'rotated'; readonly apiKey: string; readonly previous: string }

/** Which keys must work and which must not after these steps. The last step about a key counts. */
export function expectedKeys(steps: readonly AgentStep[]): ReadonlyMap<string, 'works' | 'dead'> {
  const keys = new Map<string, 'works' | 'dead'>()
  for (const step of steps) {
    keys.set(step.apiKey, step.kind === 'registered' || step.kind === 'revoked' ? 'dead' : 'works')
    if (step.kind === 'rotated') keys.set(step.previous, 'dead')
  }
  return keys
}

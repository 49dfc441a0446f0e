import assert from 'node:assert/strict'
import { documentsOf, valuesOf } from '../ops-yaml.ts'

type Variables = Readonly<Record<string, string>>

/** The environment of the service under compose, with these variables in `.env`. */
export function composeSettings(given: Variables): Variables {
  const [compose] = documentsOf('ops/compose.yaml')
  const [service] = valuesOf('stakewright', valuesOf('services', compose)[0])
  const entries = Object.entries(valuesOf('environment', service)[0] ?? {})
  return Object.fromEntries(entries.map(([name, value]) => [name, interpolated(String(value), given)]))
}

/** Interpolates like compose: `${NAME:?}` is required, `${NAME:-text}` has a default. */
const interpolated = (text: string, given: Variables): string =>
  text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, otherwise: string) => {
    const value = given[name]
    assert(value !== undefined || kind === '-', `${name} is not given`)
    return value ?? otherwise
  })

/** The pod settings of the Kubernetes manifest. */
export function kubernetesSettings() {
  const [deployment] = documentsOf('ops/kubernetes/stakewright.yaml')
  const variables = valuesOf('env', deployment)
    .flat()
    .map((entry) => [String(valuesOf('name', entry)[0]), String(valuesOf('value', entry)[0])])
  const probes = valuesOf('httpGet', deployment).map((probe) => String(valuesOf('path', probe)[0]))
  const grace = Number(valuesOf('terminationGracePeriodSeconds', deployment)[0])
  // The grace period includes the preStop pause before the signal.
  const [pause] = valuesOf('seconds', valuesOf('preStop', deployment)[0])
  assert(probes.length === 3 && grace > Number(pause))
  return {
    variables: Object.fromEntries(variables) as Variables,
    probes,
    graceSeconds: grace - Number(pause),
  }
}

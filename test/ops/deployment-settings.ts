import assert from 'node:assert/strict'
import { documentsOf, valuesOf } from './ops-yaml.ts'

type Variables = Readonly<Record<string, string>>

/** The environment of the service under compose, with these variables in `.env`. */
export function composeSettings(given: Variables): Variables {
  const [compose] = documentsOf('ops/compose.yaml')
  const [service] = valuesOf('stakewright', valuesOf('services', compose)[0])
  const entries = Object.entries(valuesOf('environment', service)[0] ?? {})
  const own = entries.map(([name, value]) => [name, interpolated(String(value), given)])
  const ofFiles = valuesOf('env_file', service).flat().includes('.env') ? given : {}
  return { ...ofFiles, ...Object.fromEntries(own) }
}

/** Interpolates like compose: `${NAME:?}` is required, `${NAME:-text}` has a default. */
const interpolated = (text: string, given: Variables): string =>
  text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, otherwise: string) => {
    const value = given[name]
    assert(value || kind === '-', `${name} is not given`)
    return value || otherwise
  })

type Resource = { readonly kind: string; readonly metadata: { readonly name: string } }
type Volume = { readonly name: string; readonly persistentVolumeClaim?: { readonly claimName: string } }
type Mount = { readonly name: string; readonly mountPath: string }
type EnvEntry = { readonly name: string; readonly value?: string; readonly valueFrom?: unknown }

/** The pod settings of the Kubernetes manifest, with these variables in its config map and its secret. */
export function kubernetesSettings(configMap: Variables, secret: Variables) {
  const documents = documentsOf('ops/kubernetes/stakewright.yaml') as readonly Resource[]
  const [deployment] = documents
  const sources = valuesOf('envFrom', deployment).flat()
  const isSource = (kind: string) => valuesOf(kind, sources).some((source) => valuesOf('name', source)[0])
  const entries = valuesOf('env', deployment).flat() as readonly EnvEntry[]
  const probes = valuesOf('httpGet', deployment).map((probe) => String(valuesOf('path', probe)[0]))
  const grace = Number(valuesOf('terminationGracePeriodSeconds', deployment)[0])
  // The grace period includes the preStop pause before the signal.
  const [pause] = valuesOf('seconds', valuesOf('preStop', deployment)[0])
  const claims = documents.filter(({ kind }) => kind === 'PersistentVolumeClaim')
  const claimed = (valuesOf('volumes', deployment).flat() as readonly Volume[])
    .filter(({ persistentVolumeClaim: claim }) =>
      claims.some(({ metadata }) => metadata.name === claim?.claimName),
    )
    .map(({ name }) => name)
  const mounts = valuesOf('volumeMounts', deployment).flat() as readonly Mount[]
  assert(probes.length === 3 && grace > Number(pause))
  return {
    variables: {
      ...(isSource('configMapRef') ? configMap : {}),
      ...(isSource('secretRef') ? secret : {}),
      ...Object.fromEntries(
        entries.map((entry) => [entry.name, entry.value ?? referredTo(entry, configMap)]),
      ),
    } as Variables,
    probes,
    /** The folders that are on claims of the manifest. */
    claims: mounts.filter(({ name }) => claimed.includes(name)).map(({ mountPath }) => mountPath),
    graceSeconds: grace - Number(pause),
  }
}

/** Like Kubernetes, which starts no pod if the key is missing. */
function referredTo({ name, valueFrom }: EnvEntry, configMap: Variables): string {
  const [reference] = valuesOf('configMapKeyRef', valueFrom)
  const value = configMap[String(valuesOf('key', reference)[0])]
  assert(value !== undefined, `${name} is not given`)
  return value
}

import type { EndpointSpec } from '@stakewright/contract'

type Schema = {
  readonly def?: {
    readonly innerType?: unknown
    readonly element?: unknown
    readonly shape?: Readonly<Record<string, unknown>>
  }
}

/** The field names of the object at a path of a request; undefined if it is a union or no object. */
export function fieldsAt(row: EndpointSpec, path: readonly PropertyKey[]): readonly string[] | undefined {
  const [first, ...rest] = path
  const parts = [row.params, row.query, row.body]
  const part = parts.find((one) => one !== undefined && Object.hasOwn(one.shape, first ?? ''))
  const found = rest.reduce<unknown>(
    (schema, step) =>
      typeof step === 'number' ? defOf(schema).element : defOf(schema).shape?.[String(step)],
    part?.shape[String(first)],
  )
  const { shape } = defOf(found)
  return shape && Object.keys(shape)
}

/** The definition inside `optional` and `default`. */
function defOf(schema: unknown): NonNullable<Schema['def']> {
  const { def = {} } = toSchema(schema)
  return def.innerType === undefined ? def : defOf(def.innerType)
}

/** zod has these properties at run time, but not in its types. */
const toSchema = (schema: unknown): Schema => (schema ?? {}) as Schema

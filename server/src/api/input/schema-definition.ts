type Definition = {
  readonly type?: string
  readonly format?: string
  readonly innerType?: unknown
  readonly element?: unknown
  readonly shape?: Readonly<Record<string, unknown>>
}

/** The definition inside `optional` and `default`; a number with a format is an integer. */
export function definitionOf(schema: unknown): Definition {
  const { def = {} } = toSchema(schema)
  return def.innerType === undefined ? def : definitionOf(def.innerType)
}

/** zod has these properties at run time, but not in its types. */
const toSchema = (schema: unknown) => (schema ?? {}) as { readonly def?: Definition }

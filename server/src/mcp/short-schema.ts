import type { JsonSchema } from '@stakewright/contract/json-schema'

/**
 * Short schemas for `tools/list`, whose tokens every conversation pays for. The complete ones are a resource, and
 * the service validates against those.
 */

/** Drops bounds and patterns, which errors explain, and the structure of values that a caller only passes on. */
export const shortInput = (schema: JsonSchema): JsonSchema => shorten(schema, INPUT)

/** Names and types down to the fields of items. Nothing is required, because a reader only needs the possible fields. */
export const shortOutput = (schema: JsonSchema): JsonSchema => shorten(schema, OUTPUT)

/**
 * Describes the fields of an object once in a list of tools: a later tool with the same fields refers to the first one.
 * The description of a field is given once, too. `described`: the places of earlier tools, by fields or description.
 */
export function describeOnce(schema: JsonSchema, tool: string, described: Map<string, string>): JsonSchema {
  const refer = (value: unknown, path: string): unknown => {
    if (!isSchema(value)) return value
    const { properties, items } = value
    if (isSchema(items)) return { ...value, items: refer(items, path) }
    if (!isSchema(properties)) return withoutRepeat(value, path)
    const fields = JSON.stringify(properties)
    const place = described.get(fields)
    if (place !== undefined) return { type: value['type'], description: `As ${place}.` }
    if (fields.length >= WORTH_A_REFERENCE) described.set(fields, `${path} of ${tool}`)
    return { ...value, properties: within(properties) }
  }
  const withoutRepeat = (value: JsonSchema, path: string): JsonSchema => {
    const { description, ...plain } = value
    if (description === undefined) return value
    const words = `${path}: ${description}`
    if (described.has(words)) return plain
    described.set(words, tool)
    return value
  }
  const within = (properties: JsonSchema): JsonSchema =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, refer(value, name)]))
  return isSchema(schema['properties']) ? { ...schema, properties: within(schema['properties']) } : schema
}

const WORTH_A_REFERENCE = 120

type Cut = {
  readonly keywords: ReadonlySet<string>
  /** Nesting depth below which only types are given. */
  readonly depth: number
}

const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems']
const INPUT: Cut = { keywords: new Set(['pattern', 'examples', 'format', '$schema', ...LENGTHS]), depth: 3 }
const OUTPUT: Cut = {
  keywords: new Set(['required', 'enum', 'const', 'additionalProperties', 'propertyNames', 'examples']),
  depth: 2,
}

function shorten(schema: JsonSchema, cut: Cut, depth = 0): JsonSchema {
  if (hasForms(schema)) {
    const fields = cut === INPUT ? fieldsOfForms(formsOf(schema)) : undefined
    const shown = fields
      ? { type: 'object', properties: mapValues(fields, cut, depth + 1) }
      : typeOfForms(schema)
    return { ...pick(schema, ['description', 'default']), ...shown }
  }
  const isObject = schema['type'] === 'object'
  // An object that may have any further field was made by this service.
  const isPassedOn = cut === INPUT && isSchema(schema['additionalProperties'])
  const isTypeOnly = isObject && (depth >= cut.depth || isPassedOn)
  const kept = Object.entries(schema).filter(
    ([keyword]) =>
      !cut.keywords.has(keyword) && !isNestedBound(keyword, depth) && !(isTypeOnly && INNER.has(keyword)),
  )
  const inner = isObject ? depth + 1 : depth
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value)) return [keyword, mapValues(value, cut, inner)]
      return [keyword, keyword === 'items' && isSchema(value) ? shortItems(schema, value, cut, inner) : value]
    }),
  )
}

/** The description of a list covers plain items. */
function shortItems(list: JsonSchema, items: JsonSchema, cut: Cut, depth: number): JsonSchema {
  const short = shorten(items, cut, depth)
  if (short['type'] === 'object' || list['description'] === undefined) return short
  const { description: _, ...plain } = short
  return plain
}

/**
 * `additionalProperties: false` is kept on the outermost object only, although unknown fields are refused at any
 * depth.
 */
const isNestedBound = (keyword: string, depth: number): boolean =>
  keyword === 'additionalProperties' && depth > 0

const INNER = new Set(['properties', 'required', 'additionalProperties'])

const hasForms = (schema: JsonSchema): boolean => formsOf(schema).length > 0

/** The alternatives of a union. */
const formsOf = (schema: JsonSchema): readonly JsonSchema[] => {
  const forms = schema['oneOf'] ?? schema['anyOf'] ?? []
  return Array.isArray(forms) ? forms.filter(isSchema) : []
}

/** Keeps `string | null`; reduces a union of objects to its type. */
function typeOfForms(schema: JsonSchema): JsonSchema {
  const types = [...new Set(formsOf(schema).map((form) => form['type']))].filter((type) => type !== undefined)
  return types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }
}

/**
 * The merged fields of a discriminated union with plain fields, which a caller writes. Undefined for other unions,
 * which a caller only passes on.
 */
function fieldsOfForms(forms: readonly JsonSchema[]): JsonSchema | undefined {
  const fields: Record<string, JsonSchema> = {}
  for (const { properties } of forms) {
    if (!isSchema(properties)) return undefined
    for (const [name, field] of Object.entries(properties)) {
      if (!isSchema(field) || !isPlainField(field)) return undefined
      const { const: value, ...rest } = field
      const values = [fields[name]?.['enum'] ?? [], value ?? []].flat()
      fields[name] ??= rest
      if (value !== undefined) fields[name] = { ...fields[name], enum: values }
    }
  }
  return fields
}

const isPlainField = ({ type, items }: JsonSchema): boolean =>
  type === 'array' ? isSchema(items) && isPlainField(items) : type !== 'object' && type !== undefined

const mapValues = (properties: JsonSchema, cut: Cut, depth: number): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      isSchema(value) ? shorten(value, cut, depth) : value,
    ]),
  )

const pick = (schema: JsonSchema, keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)))

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

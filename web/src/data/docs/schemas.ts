import type { Document, Schema } from './openapi-document.ts'

type Schemas = Document['components']['schemas']

export function resolve(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined
    ? schema
    : { ...schemas[name], ...(schema?.description && { description: schema.description }) }
}

/** A schema's type in a word or two. */
export function typeName(given: Schema, schemas: Schemas): string {
  const schema = resolve(given, schemas) ?? {}
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return [...new Set(variants.map((one) => typeName(one, schemas)))].join(' | ')
  if (schema.type === 'array') return `${schema.items ? typeName(schema.items, schemas) : 'value'}[]`
  if (given.$ref && schema.type === 'object') return given.$ref.split('/').at(-1) ?? 'object'
  return Array.isArray(schema.type)
    ? schema.type.join(' | ')
    : typeof schema.type === 'string'
      ? schema.type
      : 'any'
}

export type Row = {
  readonly path: string
  readonly type: string
  readonly description: string
  readonly isRequired: boolean
}

/** The fields of a schema, nested ones by their paths; three levels are enough to read. */
export function listFields(
  given: Schema | undefined,
  schemas: Schemas,
  prefix = '',
  depth = 0,
): readonly Row[] {
  const schema = unwrap(resolve(given, schemas), schemas)
  if (!schema?.properties || depth > 2) return []
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const inner = resolve(field, schemas) ?? {}
    const path = `${prefix}${name}`
    const isList = unwrapType(inner, schemas) === 'array'
    const own: Row = {
      path,
      type: typeName(field, schemas),
      description: field.description ?? inner.description ?? '',
      isRequired: schema.required?.includes(name) ?? false,
    }
    return [
      own,
      ...listFields(
        isList ? unwrap(inner, schemas)?.items : inner,
        schemas,
        `${path}${isList ? '[]' : ''}.`,
        depth + 1,
      ),
    ]
  })
}

/** The non-null variant of a nullable schema. */
function unwrap(schema: Schema | undefined, schemas: Schemas): Schema | undefined {
  const variants = schema?.anyOf ?? schema?.oneOf
  if (!variants) return schema
  const present = variants.map((one) => resolve(one, schemas)).filter((one) => one?.type !== 'null')
  return present.length === 1 ? present[0] : schema
}
const unwrapType = (schema: Schema, schemas: Schemas) => unwrap(schema, schemas)?.type

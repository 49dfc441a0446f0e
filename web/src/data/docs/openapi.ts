import { type EndpointName, ROUTES } from '@stakewright/contract/routes'
import { type Loaded, useQuery } from '../query.ts'

/** The part of OpenAPI 3.1 that the service's document uses. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}
type Media = { readonly schema?: Schema; readonly example?: unknown }
type Content = { readonly content?: Readonly<Record<string, Media>> }
type RawOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Responses
}
/** Those of errors refer to `components`. */
type Responses = Readonly<Record<string, Content & { readonly description?: string; readonly $ref?: string }>>
type Document = {
  readonly info: { readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Responses
  }
}

export type Operation = {
  readonly name: EndpointName
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly inputs: readonly Input[]
  /** A request that works: path, query and body in one object. */
  readonly example: Readonly<Record<string, unknown>>
  readonly reply: Schema | undefined
  readonly status: string
  readonly errors: readonly { readonly status: string; readonly description: string }[]
}
export type Input = {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly schema: Schema
  readonly description: string
}
export type Reference = {
  readonly version: string
  readonly operations: readonly Operation[]
  readonly schemas: Document['components']['schemas']
}

export const useReference = (): Loaded<Reference> =>
  useQuery({
    key: 'openapi',
    ask: async () => {
      const response = await fetch('/openapi.json')
      if (!response.ok) throw new Error('The description of the API cannot be read right now.')
      return toReference(toDocument(await response.json()))
    },
  })

/** Written by the service from the contract; tests check it against other tools. */
const toDocument = (value: unknown): Document => value as Document

function toReference({ info, paths, components }: Document): Reference {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) => {
      const name = NAMES.find((one) => one === raw.operationId)
      return name === undefined ? [] : [toOperation(name, method.toUpperCase(), path, raw, components)]
    }),
  )
  const order = (name: EndpointName) => NAMES.indexOf(name)
  return {
    version: info.version,
    operations: operations.sort((a, b) => order(a.name) - order(b.name)),
    schemas: components.schemas,
  }
}

/** The keys of the table are its names. */
const NAMES = Object.keys(ROUTES) as readonly EndpointName[]

function toOperation(
  name: EndpointName,
  method: string,
  path: string,
  raw: RawOperation,
  { schemas, responses }: Document['components'],
): Operation {
  const success = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))
  const body = resolve(schemaOf(raw.requestBody), schemas)
  return {
    name,
    method,
    path,
    tag: raw.tags[0] ?? '',
    summary: raw.summary,
    description: raw.description ?? '',
    inputs: [
      ...(raw.parameters ?? [])
        .filter((one) => one.in !== 'header')
        .map((one) => ({
          name: one.name,
          place: one.in,
          isRequired: one.required ?? false,
          schema: resolve(one.schema, schemas) ?? {},
          description: one.description ?? one.schema?.description ?? '',
        })),
      ...Object.entries(body?.properties ?? {}).map(([field, schema]) => ({
        name: field,
        place: 'body',
        isRequired: body?.required?.includes(field) ?? false,
        schema: resolve(schema, schemas) ?? {},
        description: schema.description ?? resolve(schema, schemas)?.description ?? '',
      })),
    ],
    example: exampleInput(raw),
    reply: schemaOf(success?.[1]),
    status: success?.[0] ?? '200',
    errors: Object.entries(raw.responses)
      .filter(([status]) => !/^[23]/.test(status))
      .map(([status, { $ref, description }]) => ({
        status,
        description: description ?? responses[$ref?.split('/').at(-1) ?? '']?.description ?? '',
      })),
  }
}

const mediaOf = (content: Content | undefined): Media | undefined => Object.values(content?.content ?? {})[0]
const schemaOf = (content: Content | undefined): Schema | undefined => mediaOf(content)?.schema

/** The parameters that it must have, and the body of the document's own example. */
function exampleInput({ parameters = [], requestBody }: RawOperation): Operation['example'] {
  const required = parameters.filter((one) => one.in !== 'header' && one.required)
  return {
    ...Object.fromEntries(required.map(({ name, example }) => [name, example])),
    ...Object(mediaOf(requestBody)?.example),
  }
}

export function resolve(schema: Schema | undefined, schemas: Reference['schemas']): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined
    ? schema
    : { ...schemas[name], ...(schema?.description && { description: schema.description }) }
}

/** A schema's type in a word or two. */
export function typeName(given: Schema, schemas: Reference['schemas']): string {
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
  schemas: Reference['schemas'],
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

/** What a nullable schema is when it is not null. */
function unwrap(schema: Schema | undefined, schemas: Reference['schemas']): Schema | undefined {
  const variants = schema?.anyOf ?? schema?.oneOf
  if (!variants) return schema
  const present = variants.map((one) => resolve(one, schemas)).filter((one) => one?.type !== 'null')
  return present.length === 1 ? present[0] : schema
}
const unwrapType = (schema: Schema, schemas: Reference['schemas']) => unwrap(schema, schemas)?.type

/** A value that fits the schema: its own example, its default, or something plain. */
export function exampleOf(given: Schema | undefined, schemas: Reference['schemas'], depth = 0): unknown {
  const schema = unwrap(resolve(given, schemas), schemas)
  if (!schema || depth > 5) return null
  if (schema.examples && schema.examples.length > 0) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]),
    )
  if (schema.type === 'array') return [exampleOf(schema.items, schemas, depth + 1)]
  if (schema.anyOf || schema.oneOf) return exampleOf((schema.anyOf ?? schema.oneOf)?.[0], schemas, depth + 1)
  return (
    { string: 'text', number: schema.minimum ?? 1, integer: schema.minimum ?? 1, boolean: true, object: {} }[
      String(schema.type)
    ] ?? null
  )
}

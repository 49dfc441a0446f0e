import type { JsonSchema } from '@stakewright/contract/json-schema'

/** Translates JSON Schema to Python types. Objects become TypedDicts, which are collected in `classes`. */
export function pythonTypes() {
  const classes: string[] = []

  function typeOf(schema: JsonSchema, name: string): string {
    if ('const' in schema) return `Literal[${literal(schema['const'])}]`
    if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(literal).join(', ')}]`
    const choices = schema['anyOf'] ?? schema['oneOf']
    if (Array.isArray(choices)) {
      const types = choices.map((choice, index) => typeOf(toSchema(choice), `${name}${index + 1}`))
      return [...new Set(types)].join(' | ')
    }
    return ofType(schema, name)
  }

  function ofType(schema: JsonSchema, name: string): string {
    const { type, items, properties, additionalProperties } = schema
    if (Array.isArray(type)) return type.map((one) => ofType({ ...schema, type: one }, name)).join(' | ')
    if (type === 'array') return `list[${typeOf(toSchema(items), `${name}Item`)}]`
    if (type !== 'object') return SCALARS[String(type)] ?? 'Any'
    if (isObject(properties)) return typedDict(schema, name)
    return isObject(additionalProperties)
      ? `dict[str, ${typeOf(additionalProperties, `${name}Value`)}]`
      : 'dict[str, Any]'
  }

  /** In the functional form, because field names may be Python keywords. */
  function typedDict(schema: JsonSchema, name: string): string {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const fields = Object.entries(toSchema(schema['properties'])).map(([field, property]) => {
      const type = typeOf(toSchema(property), `${name}${toPascal(field)}`)
      return `    ${quote(field)}: ${quote(required.includes(field) ? type : `NotRequired[${type}]`)},`
    })
    classes.push(`${name} = TypedDict(${quote(name)}, {\n${fields.join('\n')}\n})`)
    return name
  }

  return { typeOf, classes: (): readonly string[] => classes }
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

export const toPascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** A JSON string is a valid Python string. */
export const quote = (text: string): string => JSON.stringify(text)

const literal = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toSchema = (value: unknown): JsonSchema => (isObject(value) ? value : {})

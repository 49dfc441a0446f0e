import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  inWords,
  isSafeToRepeat,
  REST_WORDS,
  ROUTES,
  toolName,
} from '@stakewright/contract'
import { inputJsonSchema, replyJsonSchema } from '@stakewright/contract/json-schema'
import packageJson from '../../package.json' with { type: 'json' }
import { pythonTypes, quote, toPascal, toSchema } from './python-types.ts'

export const PYTHON_FILE = join(import.meta.dirname, '..', '..', 'python', 'stakewright.py')

/** Descriptions name a call by its Python method, which has the name of the MCP tool. */
const METHOD_WORDS = { ...REST_WORDS, call: toolName }

const HEAD = `"""The Python client of the Stakewright API: one module, standard library only, Python 3.11 or newer.

    from stakewright import Stakewright

    key = Stakewright("http://127.0.0.1:3000").sandbox_key(agent_name="yield-scout")["data"]["apiKey"]
    client = Stakewright("http://127.0.0.1:3000", api_key=key)
    print(client.allocate(amount="10000000000000000", max_validators=2)["allocations"])

One method per endpoint; answers are dictionaries with the API's own names. Amounts are strings of smallest units.
Generated from the contract by \`npm run python\`: do not edit.
"""

from __future__ import annotations

import http.client
import json
import math
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Literal, NamedTuple, NotRequired, TypedDict

__version__ = ${quote(packageJson.version)}
`

const ROUTE = `class _Route(NamedTuple):
    method: str
    path: str
    auth: str
    #: Whether the call may be repeated if it may have been executed; named: only with an Idempotency-Key.
    repeats: Literal["always", "named", "never"]
`

/** Python keywords that cannot be parameter names. */
const KEYWORDS: readonly string[] = [
  'from',
  'import',
  'class',
  'global',
  'in',
  'is',
  'lambda',
  'pass',
  'with',
]

/** The whole module, from the contract. */
export function pythonModule(): string {
  const names = Object.keys(ENDPOINTS) as EndpointName[]
  const types = pythonTypes()
  const methods = names.map((name) => method(name, types.typeOf))
  const routes = names.map((name) => {
    const { method: verb, path, auth } = ROUTES[name]
    return `    ${quote(toSnake(name))}: _Route(${[verb, path, auth, repeatsOf(name)].map(quote).join(', ')}),`
  })
  const runtime = readFileSync(join(import.meta.dirname, 'runtime.py'), 'utf8').trimEnd()
  return [
    HEAD,
    types.classes().join('\n\n'),
    `\n${ROUTE}`,
    `\n_ROUTES: dict[str, _Route] = {\n${routes.join('\n')}\n}\n`,
    `\n${runtime}\n`,
    `\nclass Stakewright(_Calls):\n    """A client of one service: a method for each of its endpoints."""\n`,
    methods.join('\n'),
  ].join('\n')
}

const repeatsOf = (name: EndpointName): string => {
  if (isSafeToRepeat(name, false)) return 'always'
  return isSafeToRepeat(name, true) ? 'named' : 'never'
}

/** Parameters of every method, besides the fields of its endpoint. */
const OPTIONS = [
  'timeout: float | None = None',
  'retries: int | None = None',
  'on_answer: Callable[[Answer], None] | None = None',
] as const

function method(name: EndpointName, typeOf: ReturnType<typeof pythonTypes>['typeOf']): string {
  const { summary, description, isRepeatable = false }: EndpointSpec = ENDPOINTS[name]
  const schema = inputJsonSchema(ENDPOINTS[name])
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const inputs = Object.entries(toSchema(schema['properties'])).map(([field, property]) => ({
    field,
    parameter: toParameter(field),
    type: typeOf(toSchema(property), `${toPascal(name)}${toPascal(field)}`),
    isRequired: required.includes(field),
  }))
  const ordered = inputs.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
  const parameters = ordered.map(({ parameter, type, isRequired }) =>
    isRequired ? `${parameter}: ${type}` : `${parameter}: ${orNone(type)} = None`,
  )
  const own = isRepeatable ? ['idempotency_key: str | None = None'] : []
  const all = ['self', '*', ...parameters, ...own, ...OPTIONS].join(', ')
  const options = `_Options(timeout, retries, on_answer${isRepeatable ? ', idempotency_key' : ''})`
  const reply = typeOf(replyJsonSchema(ENDPOINTS[name]), `${toPascal(name)}Reply`)
  const given = inputs.map(({ field, parameter }) => `${quote(field)}: ${parameter}`).join(', ')
  return [
    `    def ${toSnake(name)}(${all}) -> ${reply}:`,
    `        """${summary}.\n\n        ${inWords(description, METHOD_WORDS)}\n        """`,
    `        return self._call(${quote(toSnake(name))}, {${given}}, ${options})`,
    '',
  ].join('\n')
}

const orNone = (type: string): string => (type.split(' | ').includes('None') ? type : `${type} | None`)

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const toParameter = (field: string): string => {
  const name = toSnake(field)
  return KEYWORDS.includes(name) ? `${name}_` : name
}

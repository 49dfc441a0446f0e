import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import { refusal } from '../../../fault.ts'
import { checkpointHash, checkpointText, toAction } from './checkpoint.ts'
import { EMPTY_MARK } from './marks.ts'
import type { AuditSeal } from './seal.ts'

/** Makes an anchor from the service log's line about a checkpoint: the audit log must still contain it. */
export function anchorOfCheckpoint(text: string, seal: AuditSeal): AuditAnchor {
  const { hash, signature, ...content } = readLine(text)
  const signed = checkpointText(content)
  if (checkpointHash(signed) !== hash || !seal.isSigned(signed, signature)) throw notSigned()
  return {
    at: content.at,
    checkpoint: { no: content.no, hash },
    action: content.action ?? EMPTY_MARK,
    ends: {},
  }
}

/** Finds the JSON in a line: log collectors such as journald put time, host, process or labels before it. */
function parseLine(text: string): unknown {
  const end = text.lastIndexOf('}') + 1
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    try {
      return JSON.parse(text.slice(at, end))
    } catch {
      // The JSON begins at a later brace.
    }
  }
  throw notSigned()
}

function readLine(text: string): AuditCheckpoint {
  const line = parseLine(text)
  const fieldOf = (name: string): unknown => Object(line)[name]
  const hashOf = (name: string) => String(fieldOf(name)).replace(/^sha256:/, '')
  return {
    no: Number(fieldOf('no')),
    firstSeq: Number(fieldOf('firstSeq')),
    lastSeq: Number(fieldOf('lastSeq')),
    day: Number(fieldOf('day')),
    at: Number(fieldOf('at')),
    root: hashOf('root'),
    previous: hashOf('previous'),
    hash: hashOf('hash'),
    signature: String(fieldOf('signature')),
    instance: String(fieldOf('instance')),
    action: toAction(fieldOf('actionNo'), hashOf('actionHash')),
  }
}

const notSigned = () =>
  refusal(
    'invalid_input',
    'This is no checkpoint that this service has signed.',
    'Give a line of its log that says "audit checkpoint".',
  )

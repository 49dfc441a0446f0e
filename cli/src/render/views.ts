import type { EndpointName, Reply } from '@stakewright/contract'
import { asCommand } from '../api/as-command.ts'
import { batchView, builtView } from './built-view.ts'
import { amountText, durationText, minuteText, percentText, shareText } from './figures.ts'
import { genericView } from './generic-view.ts'
import { readableFigures } from './readable-figures.ts'
import { bar, type Style, sparkLine } from './style.ts'
import { table } from './table.ts'

type Views = { readonly [Name in EndpointName]?: (reply: Reply<Name>, style: Style) => string }

const BAR = 24

/** Views of the most used answers; `genericView` renders the others. */
const VIEWS: Views = {
  validators: (reply, style) =>
    [
      validatorTable(reply, style),
      ...partLine(reply.data.length, reply, style),
      epochLine(reply.epoch, style),
    ].join('\n'),
  scoredValidators: ({ validators, epoch, ...page }, style) =>
    [
      table(
        [
          { heading: 'SCORE', cell: ({ score }) => score.toFixed(1), align: 'right' },
          { heading: 'NAME', cell: ({ name }) => name },
          { heading: 'APY', cell: ({ apy }) => percentText(apy), align: 'right' },
          { heading: 'COMMISSION', cell: ({ commissionRate }) => shareText(commissionRate), align: 'right' },
          { heading: 'UPTIME', cell: ({ uptime }) => shareText(uptime), align: 'right' },
          { heading: 'ID', cell: ({ validatorId }) => validatorId },
        ],
        validators,
        style,
      ),
      ...partLine(validators.length, page, style),
      epochLine(epoch, style),
    ].join('\n'),
  apyHistory: historyView,
  validatorApyHistory: historyView,
  epoch: ({ epoch, progress, remainingMs, endTimestampMs }, style) =>
    [
      `${style.paint('bold', `Epoch ${epoch}`)}  ${style.paint('cyan', bar(progress, BAR))} ${shareText(progress)}`,
      `ends in ${durationText(remainingMs)}, at ${minuteText(new Date(endTimestampMs).toISOString())} UTC`,
    ].join('\n'),
  allocate: ({ allocations, totalProjectedApy, certificate, ...rest }, style) =>
    [
      table(
        [
          { heading: 'NAME', cell: ({ name }) => name },
          { heading: 'AMOUNT', cell: ({ amount }) => amountText(amount, rest), align: 'right' },
          { heading: 'SHARE', cell: ({ weight }) => shareText(weight), align: 'right' },
          { heading: '', cell: ({ weight }) => style.paint('cyan', bar(weight, BAR)) },
          { heading: 'APY', cell: ({ projectedApy }) => percentText(projectedApy), align: 'right' },
          { heading: 'VALIDATOR', cell: ({ validatorId }) => validatorId },
        ],
        allocations,
        style,
      ),
      `${style.paint('green', percentText(totalProjectedApy))} projected; no other split is better by more than ${shareText(certificate.gap)}`,
      epochLine(rest.epoch, style),
    ].join('\n'),
  planRebalance: ({ steps, calls, summary, ...rest }, style) =>
    [
      `${style.paint('bold', summary.recommendation)}: ${summary.reason}`,
      ...(steps.length > 0
        ? [
            table(
              [
                { heading: '#', cell: ({ order }) => String(order), align: 'right' },
                { heading: 'STEP', cell: ({ action }) => action },
                { heading: 'AMOUNT', cell: ({ amount }) => amountText(amount, rest), align: 'right' },
                { heading: 'NAME', cell: ({ name }) => name ?? '-' },
                { heading: 'WAITS', cell: ({ requiresEpochWait }) => (requiresEpochWait ? 'yes' : 'no') },
                { heading: 'VALIDATOR', cell: ({ validator }) => validator },
                { heading: 'TOKEN', cell: ({ stakedTokenId }) => stakedTokenId ?? '-' },
              ],
              steps,
              style,
            ),
            callTable(calls, style),
          ]
        : []),
      `${percentText(summary.currentWeightedApy)} now, ${percentText(summary.projectedWeightedApy)} after it`,
      epochLine(rest.epoch, style),
    ].join('\n'),
  positions: ({ positions, ...rest }, style) =>
    positions.length === 0
      ? 'This address has no staked tokens.'
      : [
          table(
            [
              { heading: 'NAME', cell: ({ name }) => name ?? '-' },
              { heading: 'PRINCIPAL', cell: ({ principal }) => amountText(principal, rest), align: 'right' },
              { heading: 'REWARDS', cell: ({ rewards }) => amountText(rewards, rest), align: 'right' },
              { heading: 'STATE', cell: ({ state }) => state },
              { heading: 'NEXT', cell: ({ next }) => next },
              { heading: 'TOKEN', cell: ({ stakedTokenId }) => stakedTokenId },
              { heading: 'VALIDATOR', cell: ({ validatorId }) => validatorId },
            ],
            positions,
            style,
          ),
          ...partLine(positions.length, rest, style),
          epochLine(rest.epoch, style),
        ].join('\n'),
  buildStake: builtView,
  buildUnstake: builtView,
  buildWithdraw: builtView,
  buildJoin: builtView,
  buildBatch: batchView,
  usage: ({ tier, limits, used, resetAt }, style) =>
    [
      `tier    ${style.paint('bold', tier)}`,
      `minute  ${usageBar(used.rpm, limits.rpm, style)}  until ${resetAt.minute.slice(11, 19)} UTC`,
      `day     ${usageBar(used.rpd, limits.rpd, style)}  until ${minuteText(resetAt.day)} UTC`,
    ].join('\n'),
  listAgents: ({ data }, style) =>
    data.length === 0
      ? 'You have no agents. `stakewright keys register NAME` makes one.'
      : table(
          [
            { heading: 'ID', cell: ({ id }) => id },
            { heading: 'STATUS', cell: ({ status }) => status },
            { heading: 'TIER', cell: ({ tier }) => tier },
            { heading: 'KEY', cell: ({ keyPrefix }) => `${keyPrefix}…` },
            { heading: 'LAST USED', cell: ({ lastUsedAt }) => minuteText(lastUsedAt) },
            { heading: 'NAME', cell: ({ agentName }) => agentName },
          ],
          data,
          style,
        ),
  sandboxKey: keyView,
  selfRegister: keyView,
  registerAgent: keyView,
  rotateKey: keyView,
}

/**
 * The answer as text. The cast holds because `reply` is the answer of this endpoint. One without the fields of its view,
 * as of another version of the service, is shown as JSON: it may hold a key that is shown once.
 */
export function viewOf(endpoint: EndpointName, reply: unknown, style: Style): string {
  const view = VIEWS[endpoint] as ((reply: unknown, style: Style) => string) | undefined
  try {
    return view ? view(reply, style) : genericView(readableFigures(endpoint, reply), style)
  } catch {
    return JSON.stringify(reply, undefined, 2)
  }
}

/** The calls of a plan as commands. */
const callTable = (calls: Reply<'planRebalance'>['calls'], style: Style) =>
  table(
    [
      { heading: 'CALL', cell: ({ order }) => String(order), align: 'right' },
      { heading: 'EPOCH', cell: ({ epoch }) => String(epoch), align: 'right' },
      { heading: 'NOT BEFORE', cell: ({ notBefore }) => `${minuteText(notBefore)} UTC` },
      { heading: 'COMMAND', cell: commandOf },
    ],
    calls,
    style,
  )

const commandOf = (call: Reply<'planRebalance'>['calls'][number]): string =>
  [
    asCommand(call) ?? `${call.method} ${call.path}`,
    ...(call.tokenOfCall === undefined ? [] : [`(the token that call ${call.tokenOfCall} splits off)`]),
  ].join(' ')

const epochLine = (epoch: number, style: Style) => style.paint('dim', `epoch ${epoch}`)

/** For a partial list: how many items of the total are shown, and the option for the next page. */
function partLine(shown: number, { total, nextCursor }: Page, style: Style): readonly string[] {
  if (total === undefined || total === shown) return []
  const more = nextCursor ? `; the next ones: --cursor ${nextCursor}` : ''
  return [style.paint('dim', `${shown} of ${total}${more}`)]
}

type Page = { readonly total?: number | undefined; readonly nextCursor?: string | null | undefined }

/** Sorted by score, unless the caller asked for a page, which has the requested order. */
const validatorTable = ({ data, total, ...unit }: Reply<'validators'>, style: Style) =>
  table(
    [
      { heading: 'SCORE', cell: ({ score }) => score?.toFixed(1) ?? '-', align: 'right' },
      { heading: 'NAME', cell: ({ name }) => name },
      {
        heading: 'STATUS',
        cell: ({ status }) => style.paint(status === 'active' ? 'green' : 'yellow', status),
      },
      { heading: 'APY', cell: ({ apy }) => percentText(apy), align: 'right' },
      { heading: 'COMMISSION', cell: ({ commissionRate }) => shareText(commissionRate), align: 'right' },
      { heading: 'STAKE', cell: ({ totalStake }) => amountText(totalStake, unit), align: 'right' },
      { heading: 'ID', cell: ({ id }) => id },
    ],
    total === undefined ? data.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1)) : data,
    style,
  )

function historyView({ data, total }: Reply<'apyHistory'>, style: Style): string {
  const [first, last] = [data.at(0), data.at(-1)]
  if (!first || !last) return 'There is no history yet.'
  const values = data.map(({ apy }) => apy)
  return [
    style.paint('cyan', sparkLine(values, style.columns)),
    `epochs ${first.epoch} to ${last.epoch}: lowest ${percentText(Math.min(...values))}, highest ${percentText(Math.max(...values))}, newest ${percentText(last.apy)}`,
    style.paint('dim', `${data.length} of ${total} epochs`),
  ].join('\n')
}

const usageBar = (used: number, limit: number, style: Style) =>
  `${style.paint(used < limit ? 'green' : 'red', bar(limit === 0 ? 1 : used / limit, BAR))} ${used} of ${limit}`

function keyView({ data }: Reply<'sandboxKey'>, style: Style): string {
  return [
    style.paint('bold', data.apiKey),
    `${data.tier}, ${data.status}, ${data.rateLimits.rpm} requests a minute; agent ${data.id}`,
    style.paint('dim', data.warning),
  ].join('\n')
}

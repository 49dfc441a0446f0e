import type { Kysely } from 'kysely'
import type { Logger } from '#ports/logger.ts'
import type { Forecast, ForecastRange, ForecastSet, Forecasts } from '#ports/stores/forecasts.ts'
import type { Schema } from '../../schema.ts'

type Needs = { readonly db: Kysely<Schema>; readonly logger: Logger }

/** Sets that cannot be read are skipped and logged. */
export function sqlForecasts({ db, logger }: Needs): Forecasts {
  return {
    async add({ network, engineVersion, epoch, madeAt, ranges, forecasts }, keepFromEpoch) {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('forecast_sets')
          .values({
            network,
            epoch,
            engine_version: engineVersion,
            made_at: madeAt,
            body: writeBody({ ranges, forecasts }),
          })
          .onConflict((conflict) => conflict.columns(['network', 'epoch', 'engine_version']).doNothing())
          .execute()
        await transaction
          .deleteFrom('forecast_sets')
          .where('network', '=', network)
          .where('epoch', '<', keepFromEpoch)
          .execute()
      })
    },
    async since(network, fromEpoch) {
      const rows = await db
        .selectFrom('forecast_sets')
        .selectAll()
        .where('network', '=', network)
        .where('epoch', '>=', fromEpoch)
        .orderBy('epoch')
        .orderBy('engine_version')
        .execute()
      return rows.flatMap((row): ForecastSet[] => {
        try {
          const { engine_version: engineVersion, made_at: madeAt, epoch, body } = row
          return [{ network, engineVersion, epoch, madeAt, ...readBody(body) }]
        } catch (error) {
          logger.error('stored row is damaged', error, { what: `forecasts of epoch ${row.epoch}` })
          return []
        }
      })
    },
  }
}

type Body = Pick<ForecastSet, 'ranges' | 'forecasts'>

/** Arrays instead of objects: field names would be most of the text. */
function writeBody({ ranges, forecasts }: Body): string {
  return JSON.stringify({
    ranges: ranges.map(({ epochs, low, high }) => [epochs, low, high]),
    forecasts: forecasts.map(({ validatorId, apy, last, mean }) => [
      validatorId,
      apy,
      last ?? null,
      mean ?? null,
    ]),
  })
}

function readBody(text: string): Body {
  const { ranges, forecasts } = toBody(JSON.parse(text))
  return {
    ranges: ranges.map(([epochs, low, high]): ForecastRange => ({ epochs, low, high })),
    forecasts: forecasts.map(
      ([validatorId, apy, last, mean]): Forecast => ({
        validatorId,
        apy,
        last: last ?? undefined,
        mean: mean ?? undefined,
      }),
    ),
  }
}

type StoredBody = {
  readonly ranges: readonly [number, number, number][]
  readonly forecasts: readonly [string, number, number | null, number | null][]
}

/** Only `writeBody` writes these. */
const toBody = (value: unknown): StoredBody => value as StoredBody

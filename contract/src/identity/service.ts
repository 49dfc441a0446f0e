import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { EpochNumber, IsoTime, NetworkName } from '../fields.ts'
import { envelope } from './shapes.ts'

const Age = z.number().min(0)

const ServiceNode = z
  .object({
    host: z.string().meta({ description: 'The node, without what is secret in its address.' }),
    isReady: z.boolean().meta({ description: 'Whether it is used. False: it failed and is in back-off.' }),
    failures: z.int().min(0).meta({ description: 'Failures since it last answered.' }),
    retryInSeconds: Age.meta({ description: 'Seconds until it is tried again; 0 while it is used.' }),
  })
  .meta({ id: 'ServiceNode', description: 'A full node that the chain is read from.' })

/** State of the service, for its operators. */
export const serviceRows = {
  serviceStatus: {
    tag: 'Identity',
    summary: 'State of the service',
    description:
      'Admins only: the stores, the leader, the age of the data and the nodes they come from, as the instance that answers sees them.',
    reply: envelope(
      z.object({
        version: z.string().meta({ description: 'Version of the service.' }),
        network: NetworkName.nullable().meta({ description: 'Null: no chain data have been read yet.' }),
        epoch: EpochNumber.nullable().meta({ description: 'Null: no chain data have been read yet.' }),
        dataAgeSeconds: Age.nullable().meta({
          description: 'Age of the chain data in seconds. Null: none have been read yet.',
        }),
        store: z
          .object({
            kind: z.enum(['sqlite', 'postgres']).meta({ description: 'sqlite: embedded in the process.' }),
            isWritable: z.boolean().meta({ description: 'Without writes no request is served.' }),
          })
          .meta({ description: 'The database.' }),
        counters: z
          .enum(['memory', 'postgres', 'redis'])
          .meta({ description: 'Where requests per address are counted.' }),
        storeRisks: z.array(z.string()).meta({
          description:
            'Settings of the stores with which a crash can lose what was acknowledged or counted, as read at the start, and what to set instead. Empty: none.',
        }),
        isLeader: z.boolean().meta({ description: 'Whether the instance that answers runs the jobs.' }),
        nodes: z.array(ServiceNode).meta({ description: 'Empty on the sandbox, which has none.' }),
        auditSignedAt: IsoTime.nullable().meta({
          description: 'When the audit log was last signed; once an hour. Null: not yet.',
        }),
      }),
    ).meta({ id: 'ServiceStatus' }),
    errors: ['forbidden', 'store_not_ready'],
  },
  verifyAudit: {
    tag: 'Identity',
    summary: 'Verify the audit log',
    description:
      'Admins only: reads the whole log and says whether anything in it was changed, dropped, swapped, added or cut off. Calls during a verification get its result. A long log takes longer than a request may last: the answer is `timeout`, the reading goes on, and a later call gets its result.',
    reply: envelope(
      z.object({
        isIntact: z.boolean().meta({ description: 'Whether everything is as it was written.' }),
        batches: z.int().min(0).nullable().meta({ description: 'Batches read. Null: it is broken.' }),
        checkpoints: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Signatures checked. Null: it is broken.' }),
        from: z.string().nullable().meta({ description: 'UTC day of the first batch.' }),
        to: z.string().nullable().meta({ description: 'UTC day of the last batch.' }),
        brokenAt: z.int().nullable().meta({
          description:
            'Number of the batch from which the log is wrong, or of the management action that `reason` names. Null: none.',
        }),
        reason: z.string().nullable().meta({ description: 'What is wrong there. Null: nothing.' }),
        checkedAt: IsoTime.meta({ description: 'When the reading began.' }),
      }),
    ).meta({ id: 'AuditProof' }),
    errors: ['forbidden', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

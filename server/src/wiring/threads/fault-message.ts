import { Fault } from '../../fault.ts'

/** A refusal as data: an uncaught error would end the thread, and a class does not survive `postMessage`. */
export type FaultMessage = { readonly kind: 'refused' } & Pick<
  Fault,
  'code' | 'message' | 'details' | 'fix' | 'next'
>

export const toMessage = ({ code, message, details, fix, next }: Fault): FaultMessage => ({
  kind: 'refused',
  code,
  message,
  details,
  fix,
  next,
})

export const toFault = ({ kind: _, code, message, ...parts }: FaultMessage): Fault =>
  new Fault(code, message, parts)

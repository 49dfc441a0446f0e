import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'

/** The command with other names for itself and for those whose results it takes. */
export function renamed(command: Command, nameOf: (name: string) => string): Command {
  const refer = (argument: CommandArgument): CommandArgument =>
    argument.kind === 'result' ? { ...argument, of: nameOf(argument.of) } : argument
  if (command.kind === 'transferToSender') return { ...command, objects: command.objects.map(refer) }
  if (command.kind === 'coin') return { ...command, id: nameOf(command.id) }
  return { ...command, id: nameOf(command.id), arguments: command.arguments.map(refer) }
}

/** Commands named by their places, so that two transactions can be compared whatever their names are. */
export function namedByPlace(commands: readonly Command[]): readonly Command[] {
  const places = new Map<string, string>()
  return commands.map((command, at) => {
    if (command.kind !== 'transferToSender') places.set(command.id, String(at))
    return renamed(command, (name) => places.get(name) ?? name)
  })
}

/** What the marks of a table mean. */
export function Marks({ where }: { where: string }) {
  return (
    <>
      <span className="score" data-mark="defense">
        best defense
      </span>
      <span className="score" data-mark="attack">
        strongest attack
      </span>
      <span>{where}</span>
    </>
  );
}

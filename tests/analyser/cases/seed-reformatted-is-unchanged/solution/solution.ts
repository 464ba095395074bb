import {
  createAgent,
} from '@alneas/appkit-core'

// a comment
export const agent = createAgent({
  name: "a", // here
  run: (x) => x,
})
if (createAgent) {
  console.log(2, 3);
}

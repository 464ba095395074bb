export { grader } from '../../graders/tasks/react-form.mjs';

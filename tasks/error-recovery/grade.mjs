export { grader } from '../../graders/tasks/error-recovery.mjs';
